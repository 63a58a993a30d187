import * as z from 'zod';
import type { RegisterAnswer, TaxIdRegister } from '../../domain/checkout/tax-id-register.ts';
import { askHttp, noVerdict, present, said } from './ask.ts';

/** The schema is built on the first answer, because most processes never ask a register. */
const unit = () =>
  z.object({
    organisasjonsnummer: z.string(),
    navn: z.string().nullish(),
    registrertIMvaregisteret: z.boolean(),
    forretningsadresse: z
      .object({
        adresse: z.array(z.string().nullable()).nullish(),
        postnummer: z.string().nullish(),
        poststed: z.string().nullish(),
      })
      .nullish(),
  });

/** Norway's business register, which says whether a business is registered for VAT. */
export const brreg = ({ baseUrl }: { baseUrl: string }): TaxIdRegister => ({
  name: 'brreg',
  confirm: async (id, _, signal) => {
    const number = id.replace(/\D/g, '');
    const { status, body } = await askHttp(`${baseUrl}/enheter/${number}`, {
      headers: { accept: 'application/json' },
      signal,
    });
    return status === 404 || status === 410 ? { verdict: 'invalid' } : verdictOf(body, number, status);
  },
});

function verdictOf(body: unknown, number: string, status: number): RegisterAnswer {
  const { data } = unit().safeParse(body);
  if (status !== 200 || !data) return noVerdict(status === 200 ? 'not understood' : `status ${status}`);
  if (data.organisasjonsnummer !== number) return noVerdict('answer for another number');
  const { adresse, postnummer, poststed } = data.forretningsadresse ?? {};
  const address = said([...(adresse ?? []), postnummer, poststed].filter(Boolean).join(', '));
  return {
    verdict: data.registrertIMvaregisteret ? 'valid' : 'invalid',
    ...present({ name: said(data.navn), address }),
  };
}
