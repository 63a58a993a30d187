/** The addresses of the official registers. */
const official = {
  vies: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
  brreg: 'https://data.brreg.no/enhetsregisteret/api',
  hmrc: 'https://api.service.hmrc.gov.uk',
  abn: 'https://abr.business.gov.au/json',
};

/** The addresses of the registers. A local sandbox has those of its fake registers. */
export function registerAddresses(playedAt: string | undefined, isLive: boolean): Readonly<typeof official> {
  if (playedAt === undefined) return official;
  if (isLive || new URL(playedAt).hostname !== '127.0.0.1')
    throw new Error('REGISTER_URL may only lead to this machine, from a sandbox.');
  return { vies: `${playedAt}/vies`, brreg: `${playedAt}/brreg`, hmrc: `${playedAt}/hmrc`, abn: `${playedAt}/abn` };
}
