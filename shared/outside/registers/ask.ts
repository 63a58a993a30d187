/** What came back: the body as JSON, undefined where it is none. */
export interface RegisterResponse {
  status: number;
  body: unknown;
}

const mostCharacters = 200_000;

/** One request. Redirects are refused, because credentials go to one address only. */
export async function askHttp(
  url: string,
  { signal, ...request }: { method?: string; headers?: Record<string, string>; body?: string; signal: AbortSignal },
): Promise<RegisterResponse> {
  const response = await fetch(url, { ...request, signal, redirect: 'error' });
  const text = await response.text();
  return { status: response.status, body: text.length > mostCharacters ? undefined : parsed(text) };
}

/** JSON, alone or as the argument of a function. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*callback\(([\s\S]*)\);?\s*$/, '$1'));
  } catch {
    return undefined;
  }
}

/** A text of a register without its surrounding space; undefined where it says nothing, as `---`. */
export function said(text: string | null | undefined): string | undefined {
  const plain = text?.trim() ?? '';
  return /^-*$/.test(plain) ? undefined : plain.slice(0, mostKept);
}

/** What is kept of a name or an address. */
const mostKept = 300;

/** No verdict, with the register's word for the reason. */
export const noVerdict = (fault: string) => ({ verdict: 'none', fault }) as const;

/** The fields that say something. */
export const present = <Fields extends Record<string, string | undefined>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: string;
  };
