import { refuse } from './errors.ts';
import { hasUserInfo } from './user-info.ts';

/** Schemes that run code, read files, start other apps, or belong to the browser. No merchant can allow them. */
const neverSchemes: readonly string[] = [
  ...['javascript', 'data', 'file', 'blob', 'intent', 'vbscript', 'about', 'view-source', 'filesystem', 'content'],
  ...['http', 'https', 'ws', 'wss', 'ftp', 'mailto', 'tel', 'sms', 'jar', 'resource', 'chrome', 'android-app'],
];

/** Whether a scheme can belong to an app, so a buyer can be sent to it: `com.example.shop`. */
export const isAppScheme = (scheme: string): boolean =>
  /^[a-z][a-z0-9+.-]{1,50}$/.test(scheme) && !neverSchemes.includes(scheme) && !scheme.startsWith('ms-');

/** The scheme of an app link, `com.example.shop:/done`; undefined for any other address. */
export function appSchemeOf(address: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/[^\\]*$/i.test(address) || !URL.canParse(address) || hasUserInfo(address))
    return undefined;
  const scheme = new URL(address).protocol.slice(0, -1);
  return isAppScheme(scheme) ? scheme : undefined;
}

/** The addresses to which a checkout may send a buyer. */
export interface ReturnRules {
  /** The origins that the merchant allows; undefined allows all. */
  origins: readonly string[] | undefined;
  /** The schemes of the merchant's apps. */
  schemes: readonly string[];
  /**
   * Whether only https is allowed, as in a live stack: there, not even the buyer's own machine (localhost) is an
   * address.
   */
  httpsOnly: boolean;
}

/** What the merchant's configuration says about return addresses. */
interface ReturnSettings {
  returnOrigins?: readonly string[] | undefined;
  returnSchemes?: readonly string[] | undefined;
}

/** The addresses to which a stage lets a checkout send a buyer. */
export const returnRulesOf = (
  { returnOrigins: origins, returnSchemes: schemes = [] }: ReturnSettings,
  isLive: boolean,
): ReturnRules => ({ origins, schemes, httpsOnly: isLive });

/**
 * The same for a product's link. Anyone can write such a link, so it may lead only to origins that the configuration
 * names.
 */
export const linkReturnRulesOf = (settings: ReturnSettings, isLive: boolean): ReturnRules => ({
  ...returnRulesOf(settings, isLive),
  origins: settings.returnOrigins ?? [],
});

/** Refuses an address to which the stage or the merchant does not let a checkout lead. */
export function assertAddress(path: string, address: string, { origins, schemes, httpsOnly }: ReturnRules): void {
  const scheme = appSchemeOf(address);
  if (scheme !== undefined && schemes.includes(scheme)) return;
  if (scheme !== undefined)
    throw refuse('INVALID_REQUEST_PARAMETERS', path, `The merchant does not allow app links with ${scheme}:.`);
  const { protocol, origin } = new URL(address);
  if (httpsOnly && protocol !== 'https:')
    throw refuse('INVALID_REQUEST_BODY', path, `${path} must be an https address.`);
  if (origins && !origins.includes(origin))
    throw refuse('INVALID_REQUEST_PARAMETERS', path, `The merchant does not allow the origin of ${path}.`);
}
