/** The language tags in an `Accept-Language` header, most preferred first. */
export function likedTags(acceptLanguage: string): string[] {
  const wishes = acceptLanguage.slice(0, 500).split(',').map(parseWish);
  const liked = wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return liked.map(({ tag }) => tag);
}

/** The language in a tag: `de` for `de-AT`. */
export const languageOfTag = (tag: string | undefined): string => tag?.trim().toLowerCase().split('-')[0] ?? '';

function parseWish(wish: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return { tag, weight: quality ? Number(quality.slice(2)) || 0 : 1 };
}
