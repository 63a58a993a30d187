import * as z from 'zod';
import type { RegisterAnswer, TaxIdRegister } from '../../domain/checkout/tax-id-register.ts';
import { askHttp, noVerdict, present, said } from './ask.ts';

/** The schema is built on the first answer, because most processes never ask a register. */
const details = () =>
  z.object({
    Abn: z.string(),
    AbnStatus: z.string().nullish(),
    /** The day of the GST registration. */
    Gst: z.string().nullish(),
    EntityName: z.string().nullish(),
    AddressState: z.string().nullish(),
    AddressPostcode: z.string().nullish(),
    Message: z.string().nullish(),
  });

/** The key for the register in the form in which it is stored: the GUID in the first line. */
export const abnGuidIn = (stored: string): string => (stored.split('\n')[0] ?? '').trim();

interface AbnOptions {
  baseUrl: string;
  /** The merchant's key for the register. */
  guid: () => Promise<string>;
}

/** Australia's business register. A business pays no GST only if it is registered for GST. */
export const abn = ({ baseUrl, guid }: AbnOptions): TaxIdRegister => ({
  name: 'abn',
  confirm: async (id, _, signal) => {
    const query = new URLSearchParams({ abn: id, guid: await guid() });
    const { body } = await askHttp(`${baseUrl}/AbnDetails.aspx?${query}`, { signal });
    return verdictOf(body, id);
  },
});

function verdictOf(body: unknown, id: string): RegisterAnswer {
  const { data } = details().safeParse(body);
  if (!data) return noVerdict('not understood');
  const message = said(data.Message);
  if (message !== undefined)
    return /not a valid ABN/i.test(message) ? { verdict: 'invalid', fault: message } : noVerdict(message);
  if (data.Abn.replace(/\s/g, '') !== id) return noVerdict('answer for another number');
  const isRegistered = data.AbnStatus === 'Active' && said(data.Gst) !== undefined;
  const address = said([data.AddressState, data.AddressPostcode].filter(Boolean).join(' '));
  return { verdict: isRegistered ? 'valid' : 'invalid', ...present({ name: said(data.EntityName), address }) };
}
