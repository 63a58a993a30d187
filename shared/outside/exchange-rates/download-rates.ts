import type { DayRates } from '../../domain/money/exchange-rates.ts';
import { parseRates } from './parse-rates.ts';

/** The publisher's files: the last day, and the last ninety days. */
const files = { daily: 'eurofxref-daily.xml', recent: 'eurofxref-hist-90d.xml' } as const;
export type RatesFile = keyof typeof files;

/** The most bytes of a file. The file of ninety days has about 100 kB. */
const maxBytes = 2_000_000;

interface RatesSource {
  /** The folder of the files, without a trailing slash. */
  url: string;
  timeoutSeconds: number;
}

/** Downloads one of the files and parses it. Throws if the file is incomplete, or does not arrive in time. */
export const ratesDownload =
  ({ url, timeoutSeconds }: RatesSource) =>
  async (file: RatesFile): Promise<DayRates[]> => {
    const signal = AbortSignal.timeout(timeoutSeconds * 1_000);
    const response = await fetch(`${url}/${files[file]}`, { signal });
    if (response.status !== 200) throw new Error(`The publisher of the rates answered ${response.status}.`);
    return parseRates(await bodyOf(response));
  };

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`The file of rates has more than ${maxBytes} bytes.`);
  }
  return Buffer.concat(chunks).toString('utf8');
}
