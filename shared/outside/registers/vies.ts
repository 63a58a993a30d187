import * as z from 'zod';
import type { RegisterAnswer, TaxIdRegister } from '../../domain/checkout/tax-id-register.ts';
import { askHttp, noVerdict, present, said } from './ask.ts';

/** The schemas are built on the first answer, because most processes never ask a register. */
const verdict = () =>
  z.object({
    countryCode: z.string(),
    vatNumber: z.string(),
    valid: z.boolean(),
    requestIdentifier: z.string().nullish(),
    name: z.string().nullish(),
    address: z.string().nullish(),
  });

/** VIES sends errors with the status 200 too. */
const errors = () => z.object({ errorWrappers: z.array(z.object({ error: z.string() })).min(1) });

interface ViesOptions {
  baseUrl: string;
  /** The merchant's own number. Without it, VIES gives no consultation numbers. */
  requester: string | undefined;
}

/** The register of the European Union. It asks the registers of the member states. */
export const vies = ({ baseUrl, requester }: ViesOptions): TaxIdRegister => ({
  name: 'vies',
  confirm: async (id, _, signal) => {
    const answer = await ask(baseUrl, id, requester, signal);
    if (answer.fault !== badRequester || requester === undefined) return answer;
    return { ...(await ask(baseUrl, id, undefined, signal)), fault: badRequester };
  },
});

/** VIES's error about the merchant's own number. It must not make the buyer pay tax. */
const badRequester = 'INVALID_REQUESTER_INFO';

async function ask(
  baseUrl: string,
  id: string,
  requester: string | undefined,
  signal: AbortSignal,
): Promise<RegisterAnswer> {
  const vatId = { countryCode: id.slice(0, 2), vatNumber: id.slice(2) };
  const by = requester && {
    requesterMemberStateCode: requester.slice(0, 2),
    requesterNumber: requester.slice(2),
  };
  const { body } = await askHttp(`${baseUrl}/check-vat-number`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...vatId, ...by }),
    signal,
  });
  const error = errors().safeParse(body).data?.errorWrappers[0]?.error;
  if (error !== undefined) return error === 'INVALID_INPUT' ? { verdict: 'invalid', fault: error } : noVerdict(error);
  return verdictOf(body, vatId);
}

function verdictOf(body: unknown, vatId: { countryCode: string; vatNumber: string }): RegisterAnswer {
  const { data } = verdict().safeParse(body);
  if (!data) return noVerdict('not understood');
  if (data.countryCode !== vatId.countryCode || data.vatNumber !== vatId.vatNumber)
    return noVerdict('answer for another number');
  return {
    verdict: data.valid ? 'valid' : 'invalid',
    ...present({ consultation: said(data.requestIdentifier), name: said(data.name), address: said(data.address) }),
  };
}
