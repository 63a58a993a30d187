/** Whether an address is on this machine. Apart from the processor, keys are sent only to such an address. */
export const isOnThisMachine = (url: string): boolean =>
  ['127.0.0.1', 'localhost'].includes(URL.parse(url)?.hostname ?? '');

/** The address of a fake processor. Only a sandbox on this machine may have one. */
export function playedAddress(url: string | undefined, isLive: boolean): string | undefined {
  if (url !== undefined && (isLive || !isOnThisMachine(url)))
    throw new Error('PROCESSOR_URL may only lead to this machine, from a sandbox.');
  return url;
}
