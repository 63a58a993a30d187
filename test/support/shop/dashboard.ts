import type { Api, ApiAnswer } from './api.ts';

/** The data of a browser that is signed in to the dashboard. */
export interface Browsing {
  cookies: string[];
  /** The token that its forms contain. */
  token: string;
}

/** Posts a form with the headers of a page of the same origin. */
export function postForm(
  api: Pick<Api, 'call'>,
  path: string,
  fields: Record<string, string>,
  cookies: readonly string[],
): Promise<ApiAnswer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const raw = Buffer.from(new URLSearchParams(fields).toString());
  return api.call(`POST ${path}`, { raw, headers, cookies: [...cookies], key: null });
}

/** The figures that the page of a payment shows for its correction, as its form sends them. */
export async function correctionFigures(
  api: Pick<Api, 'call'>,
  paymentId: string,
  cookies: readonly string[],
): Promise<Record<string, string>> {
  const { text } = await api.call(`GET /dashboard/payments/${paymentId}`, { cookies: [...cookies], key: null });
  const [, amount = '', tax = ''] =
    /name="amount" value="(\d+)"><input type="hidden" name="tax" value="(\d+)"/.exec(text) ?? [];
  return { amount, tax };
}

/** Signs in with a key. */
export async function browse(api: Pick<Api, 'call'>, key: string): Promise<Browsing> {
  const { cookies: set } = await postForm(api, '/dashboard/sign-in', { key }, []);
  const cookies = set.map((cookie) => cookie.split(';')[0] ?? '');
  const { text } = await api.call('GET /dashboard', { cookies, key: null });
  return { cookies, token: /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}
