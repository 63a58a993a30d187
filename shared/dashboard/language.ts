import { env } from '../env.ts';
import type { Page, PageRequest } from '../http/page.ts';
import { languageOfTag, likedTags } from '../pages/accepted-languages.ts';
import type { Locale } from '../pages/locale.ts';
import { dashboardLanguages, dashboardTexts } from '../texts/texts.ts';

/** The available languages. Each has the name that it uses for itself. */
export const offeredLanguages: readonly { locale: Locale; name: string }[] = dashboardLanguages.map((locale) => ({
  locale,
  name: dashboardTexts('frame')[locale].language,
}));

const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-tillstack-language' : 'tillstack-language');

const find = (tag: string | undefined): Locale | undefined =>
  dashboardLanguages.find((locale) => locale === languageOfTag(tag));

type Asking = Pick<PageRequest, 'query' | 'cookie' | 'headers'>;

/**
 * The language of a page. It is the one that was chosen now or earlier, or otherwise the one that the browser prefers.
 */
export function languageOf(request: Asking): Locale {
  const chosen = [request.query('lang'), request.cookie(cookieName(true)), request.cookie(cookieName(false))];
  const wished = likedTags(request.headers['accept-language'] ?? '');
  return [...chosen, ...wished].map(find).find((locale) => locale !== undefined) ?? 'en';
}

const keptSeconds = 365 * 24 * 60 * 60;

/** The page, with a cookie that stores the language if the address contains a choice. */
export function withLanguage<Answer extends Page>(request: Pick<PageRequest, 'query'>, answer: Answer): Answer {
  const chosen = find(request.query('lang'));
  if (!chosen) return answer;
  const isSecure = env.publicUrl().startsWith('https:');
  const secure = isSecure ? '; Secure' : '';
  const cookie = `${cookieName(isSecure)}=${chosen}; Path=/; Max-Age=${keptSeconds}; HttpOnly; SameSite=Lax${secure}`;
  return { ...answer, cookies: [...(answer.cookies ?? []), cookie] };
}
