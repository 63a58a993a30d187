import { refuse } from './errors.ts';
import { hasUserInfo } from './user-info.ts';

/**
 * URL schemes that run code, read files, start system programs, or belong to the browser. No merchant can allow them.
 */
const neverSchemes: readonly string[] = [
  ...['javascript', 'data', 'file', 'blob', 'intent', 'vbscript', 'about', 'view-source', 'filesystem', 'content'],
  ...['http', 'https', 'ws', 'wss', 'ftp', 'mailto', 'tel', 'sms', 'jar', 'resource', 'chrome', 'android-app'],
];

/** Whether a URL scheme can belong to an app, such as `com.example.shop`. Then a buyer can be sent to it. */
export const isAppScheme = (scheme: string): boolean =>
  /^[a-z][a-z0-9+.-]{1,50}$/.test(scheme) && !neverSchemes.includes(scheme) && !scheme.startsWith('ms-');

/** The scheme of a link into an app, such as `com.example.shop:/done`. Undefined for any other address. */
export function appSchemeOf(address: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/[^\\]*$/i.test(address) || !URL.canParse(address) || hasUserInfo(address))
    return undefined;
  const scheme = new URL(address).protocol.slice(0, -1);
  return isAppScheme(scheme) ? scheme : undefined;
}

/** The rules for addresses to which a checkout may send a buyer. */
export interface ReturnRules {
  /** The origins that the merchant allows; undefined means that all are allowed. */
  origins: readonly string[] | undefined;
  /** The URL schemes of the merchant's apps. */
  schemes: readonly string[];
  /**
   * Whether only https is allowed, as in a live stack. Then even an address on the buyer's own machine (localhost) is
   * refused.
   */
  httpsOnly: boolean;
}

/** What the merchant's configuration says about return addresses. */
interface ReturnSettings {
  returnOrigins?: readonly string[] | undefined;
  returnSchemes?: readonly string[] | undefined;
}

/** The rules for the addresses to which a checkout of this stage may send a buyer. */
export const returnRulesOf = (
  { returnOrigins: origins, returnSchemes: schemes = [] }: ReturnSettings,
  isLive: boolean,
): ReturnRules => ({ origins, schemes, httpsOnly: isLive });

/**
 * The rules for the return address in a product's link. Anyone can write such a link, so only origins in the
 * configuration are allowed.
 */
export const linkReturnRulesOf = (settings: ReturnSettings, isLive: boolean): ReturnRules => ({
  ...returnRulesOf(settings, isLive),
  origins: settings.returnOrigins ?? [],
});

/** Refuses an address if the stage or the merchant does not allow a checkout to lead there. */
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
