/**
 * Whether an absolute address has credentials before its host. Empty ones count: `https://@host/` hides where it
 * leads.
 */
export const hasUserInfo = (url: string): boolean => /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*@/i.test(url);
