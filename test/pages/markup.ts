/** An element as a page has it: its name and the names of its attributes. */
const tag = /<(\/?[a-zA-Z!][^\s/>]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/g;

/** The elements and attributes of a page in their order, without any text or value. */
export function skeletonOf(page: string): string[] {
  return [...page.matchAll(tag)].map(([, name = '', rest = '']) => {
    const attributes = [...rest.matchAll(/([^\s=/"']+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?/g)].map(
      ([, attribute]) => attribute,
    );
    return [name.toLowerCase(), ...attributes].join(' ');
  });
}

/** The values that an attribute has in a page. */
export const valuesOf = (page: string, attribute: string): string[] =>
  [...page.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

/** What a reader sees, one line of markup in one line of text. */
export const visibleText = (page: string): string =>
  page
    .replace(/<(?:head|style|script)[\s\S]*?<\/(?:head|style|script)>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim();
