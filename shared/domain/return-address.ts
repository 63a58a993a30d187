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
