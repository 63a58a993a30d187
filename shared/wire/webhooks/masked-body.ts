import * as z from 'zod';
import { maskedKey } from '../../domain/entitlements/license-key.ts';

const KeyHolder = z.looseObject({ key: z.string() });

/** The parts of an event's body that can contain a licence key. */
const Body = z.looseObject({
  data: z.looseObject({
    payload_type: z.string().optional(),
    key: z.unknown().optional(),
    license_key: KeyHolder.nullish(),
  }),
});

/** The body of an event for an API key that can only read. Of licence keys, it shows only the last characters. */
export function maskedBody(text: string): unknown {
  const { data, ...event } = Body.parse(JSON.parse(text));
  return {
    ...event,
    data: {
      ...data,
      ...(data.license_key && { license_key: { ...data.license_key, key: maskedKey(data.license_key.key) } }),
      ...(data.payload_type === 'LicenseKey' && { key: maskedKey(String(data.key)) }),
    },
  };
}
