import type { FilesConfig } from './entitlement.ts';
import { type FileUse, type Grant, usedAgain } from './grant.ts';

/** How often the buttons of one grant can be pressed in an hour. */
export const hourlyDownloads = 100;

/** Notes that a buyer downloads a file: the first time, the last time and the count. */
export function withDownload(grant: Grant, fileId: string, now: Date): Grant {
  const use = usedAgain(grant.downloads?.[fileId], now.toISOString());
  return { ...grant, downloads: { ...grant.downloads, [fileId]: use } };
}

/** Whether a file was downloaded as often as the merchant allows. Without a limit, it never is. */
export const isUsedUp = (
  { downloadsLimit = null }: Pick<FilesConfig, 'downloadsLimit'>,
  { downloads }: Pick<Grant, 'downloads'>,
  fileId: string,
): boolean => downloadsLimit !== null && (downloads?.[fileId]?.count ?? 0) >= downloadsLimit;

/** All downloads of a grant: how many, the first and the last; undefined if there are none. */
export function allDownloads({ downloads = {} }: Pick<Grant, 'downloads'>): FileUse | undefined {
  const uses = Object.values(downloads);
  const first = uses.map(({ firstAt }) => firstAt).sort()[0];
  const last = uses
    .map(({ lastAt }) => lastAt)
    .sort()
    .at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { firstAt: first, lastAt: last, count: uses.reduce((count, use) => count + use.count, 0) };
}
