import * as z from 'zod';
import { downloadLinkSeconds, downloadUrl, type GrantedFile } from '../../domain/entitlements/download-link.ts';

const File = z.looseObject({ file_id: z.string() });

/** The part of an event's body that can contain files of a grant. */
const Body = z.looseObject({
  data: z.looseObject({
    id: z.string(),
    payload_type: z.literal('EntitlementGrant'),
    digital_product_delivery: z.looseObject({ files: z.array(File) }),
  }),
});

/** Whether the body of an event may contain files, without parsing it. */
export const mayHaveFiles = (body: string): boolean =>
  body.includes('"EntitlementGrant"') && body.includes('"file_id"');

/**
 * The body of an event with a link to the page of each file of a grant. The stored event has only addresses that need
 * an API key. So reading the event does not give a link.
 */
export function linkedBody(body: string, publicUrl: string, tokenOf: (file: GrantedFile) => string): string {
  const parsed = Body.safeParse(JSON.parse(body));
  if (!parsed.success) return body;
  const { data, ...event } = parsed.data;
  const files = data.digital_product_delivery.files.map((file) => {
    const granted = { grantId: data.id, fileId: file.file_id };
    return {
      ...file,
      download_url: downloadUrl(publicUrl, granted, tokenOf(granted)),
      expires_in: downloadLinkSeconds,
    };
  });
  return JSON.stringify({
    ...event,
    data: { ...data, digital_product_delivery: { ...data.digital_product_delivery, files } },
  });
}
