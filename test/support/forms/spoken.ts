import { textFiles } from '../../texts/text-files.ts';

const textsIn = (locale: 'en' | 'de' | 'fr' | 'es') =>
  new Set(Object.values(textFiles[`dashboard/${locale}.json`] ?? {}).flatMap((texts) => Object.values(texts)));

/** What a person reads or hears, without names of places, what merchants and buyers wrote, codes, and what is marked as English. */
function spoken(page: string): string[] {
  const body = page
    .replace(/<(script|style|code|pre|iframe|option)\b.*?<\/\1>/gs, '')
    .replace(/<!doctype.*?<body>/s, '');
  const own = body
    .replace(/<(\w+)[^>]*\sdir="auto"[^>]*>[^<]*<\/\1>/g, '')
    .replace(/<(\w+)[^>]*\slang="\w+"[^>]*>[^<]*<\/\1>/g, '');
  const attributes = [...own.matchAll(/\s(?:aria-label|alt|title|placeholder|data-label|data-\w+)="([^"]*)"/g)];
  const texts = own.replace(/<[^>]*>/g, '\n').split('\n');
  return [...texts, ...attributes.map(([, text = '']) => text)].map((text) => text.trim()).filter(Boolean);
}

/** Words that none of the other languages has. */
const english = /\b(?:the|and|of|is|are|with|that|your|you|this|from|for|when|yet|been|it|every|which|enter|choose)\b/i;

/** What a page says in English to a person who reads another language. */
export function leftInEnglish(page: string, locale: 'de' | 'fr' | 'es'): string[] {
  const own = textsIn(locale);
  const foreign = new Set([...textsIn('en')].filter((text) => !own.has(text)));
  return spoken(page).filter((text) => foreign.has(text) || english.test(text));
}
