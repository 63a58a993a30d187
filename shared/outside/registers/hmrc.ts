import * as z from 'zod';
import type { RegisterAnswer, TaxIdRegister } from '../../domain/checkout/tax-id-register.ts';
import { askHttp, noVerdict, present, type RegisterResponse, said } from './ask.ts';

/** The schemas are built on the first answer, because most processes never ask a register. */
const token = () => z.object({ access_token: z.string(), expires_in: z.number() });

const found = () =>
  z.object({
    target: z.object({
      name: z.string().nullish(),
      vatNumber: z.string(),
      address: z.record(z.string(), z.string()).nullish(),
    }),
    consultationNumber: z.string().nullish(),
  });

const refused = () => z.object({ code: z.string() });

interface HmrcCredentials {
  clientId: string;
  clientSecret: string;
}

/** The credentials in the form in which they are stored: the client id and the client secret in two lines. */
export function hmrcCredentialsIn(stored: string): HmrcCredentials {
  const [clientId = '', clientSecret = ''] = stored.split('\n').map((line) => line.trim());
  return { clientId, clientSecret };
}

interface HmrcOptions {
  baseUrl: string;
  credentials: (again?: boolean) => Promise<HmrcCredentials>;
  /** The merchant's own British number. Without it, HMRC gives no consultation numbers. */
  requester: string | undefined;
  now: () => Date;
}

/** How many milliseconds before its end a token is renewed. */
const reserveMs = 60_000;

/** The United Kingdom's register. Its access token is cached while it is valid. */
export function hmrc(options: HmrcOptions): TaxIdRegister {
  let token: { text: string; until: number } | undefined;
  const tokenNow = async (signal: AbortSignal): Promise<string | undefined> => {
    const now = options.now().getTime();
    if (token && now < token.until) return token.text;
    const answered = await askToken(options, signal);
    token = answered && { text: answered.access_token, until: now + answered.expires_in * 1_000 - reserveMs };
    return token?.text;
  };
  return {
    name: 'hmrc',
    confirm: async (id, _, signal) => {
      const bearer = await tokenNow(signal);
      if (bearer === undefined) return noVerdict('no token');
      const answer = await askLookup(options, id, bearer, signal);
      if (answer.status === 401) token = undefined;
      return verdictOf(answer, digitsOf(id));
    },
  };
}

const digitsOf = (id: string): string => id.replace(/\D/g, '');

async function askToken({ baseUrl, credentials }: HmrcOptions, signal: AbortSignal) {
  const { clientId, clientSecret } = await credentials();
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const { status, body } = await askHttp(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    signal,
  });
  // After a refusal, the secret is read again for the next request.
  if (status === 401) await credentials(true);
  return status === 200 ? token().safeParse(body).data : undefined;
}

function askLookup({ baseUrl, requester }: HmrcOptions, id: string, bearer: string, signal: AbortSignal) {
  const by = requester === undefined ? '' : `/${digitsOf(requester)}`;
  return askHttp(`${baseUrl}/organisations/vat/check-vat-number/lookup/${digitsOf(id)}${by}`, {
    headers: { accept: 'application/vnd.hmrc.2.0+json', authorization: `Bearer ${bearer}` },
    signal,
  });
}

function verdictOf({ status, body }: RegisterResponse, number: string): RegisterAnswer {
  const { data } = found().safeParse(body);
  if (status === 200 && data) {
    if (data.target.vatNumber !== number) return noVerdict('answer for another number');
    const address = said(Object.values(data.target.address ?? {}).join(', '));
    const { consultationNumber, target } = data;
    return {
      verdict: 'valid',
      ...present({ consultation: said(consultationNumber), name: said(target.name), address }),
    };
  }
  const code = refused().safeParse(body).data?.code;
  // Any other code means that our address or version is wrong. It says nothing about the number.
  return status === 404 && code === 'NOT_FOUND' ? { verdict: 'invalid' } : noVerdict(code ?? `status ${status}`);
}
