/** Shows the page in the language of its address or of the browser, and opens its address again after a pause. */
{
  const languages = [...document.querySelectorAll<HTMLElement>('[data-locale]')];
  const wishes = [new URLSearchParams(location.search).get('lang') ?? '', ...navigator.languages].map(localeOf);
  const chosen = wishes.map((wish) => languages.find(({ dataset }) => dataset.locale === wish)).find((one) => one);
  if (chosen) {
    for (const language of languages) language.hidden = language !== chosen;
    document.documentElement.lang = chosen.lang;
    document.documentElement.dir = chosen.dir;
    document.title = chosen.querySelector('h1')?.textContent ?? '';
  }
  // The pause is random, so that buyers who were refused together do not come back together.
  setTimeout(() => location.reload(), (10 + 10 * Math.random()) * 1_000);

  /** The language of a tag, as `findLocale` finds it. */
  function localeOf(tag: string): string | undefined {
    if (/^zh-(?:hant|tw|hk|mo)\b/i.test(tag)) return 'zh-TW';
    const [language] = tag.toLowerCase().split('-');
    return language === 'iw' ? 'he' : language;
  }
}
