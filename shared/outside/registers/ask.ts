/** The response: its body as JSON, or undefined if the body is not JSON. */
export interface RegisterResponse {
  status: number;
  body: unknown;
}

const mostCharacters = 200_000;

/** Sends one request. It follows no redirects, because credentials may be sent to only one address. */
export async function askHttp(
  url: string,
  { signal, ...request }: { method?: string; headers?: Record<string, string>; body?: string; signal: AbortSignal },
): Promise<RegisterResponse> {
  const response = await fetch(url, { ...request, signal, redirect: 'error' });
  const text = await response.text();
  return { status: response.status, body: text.length > mostCharacters ? undefined : parsed(text) };
}

/** Parses JSON, alone or as the argument of a function call. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*callback\(([\s\S]*)\);?\s*$/, '$1'));
  } catch {
    return undefined;
  }
}

/** Trims a text from a register. Undefined if it is empty or a placeholder such as `---`. */
export function said(text: string | null | undefined): string | undefined {
  const plain = text?.trim() ?? '';
  return /^-*$/.test(plain) ? undefined : plain.slice(0, mostKept);
}

/** The most characters of a name or an address that are stored. */
const mostKept = 300;

/** The result if the register gave no verdict about the id, with its error code as reason. */
export const noVerdict = (fault: string) => ({ verdict: 'none', fault }) as const;

/** The fields that have a value. */
export const present = <Fields extends Record<string, string | undefined>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: string;
  };
