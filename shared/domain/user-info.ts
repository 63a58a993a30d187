/**
 * Whether an absolute address has credentials before its host. Empty ones also count, because `https://@host/` can
 * hide where it leads.
 */
export const hasUserInfo = (url: string): boolean => /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*@/i.test(url);
