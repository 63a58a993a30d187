/**
 * Whether an absolute address contains credentials before its host. Empty credentials also count, because
 * `https://@host/` can hide the real host.
 */
export const hasUserInfo = (url: string): boolean => /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*@/i.test(url);
