/** The languages of buyers' pages, each with the countries in which it is the main one. Elsewhere it is English. */
const countriesOf = {
  de: 'AT CH DE LI',
  fr: 'BE BF BJ CD CF CG CI CM DJ FR GA GN LU MC MG ML NE SN TD TG',
  es: 'AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PY SV UY VE',
  pt: 'AO BR CV GW MZ PT ST',
  it: 'IT SM VA',
  nl: 'NL SR',
  sv: 'SE',
  pl: 'PL',
  ja: 'JP',
  ko: 'KR',
  th: 'TH',
  zh: 'CN',
  'zh-TW': 'HK MO TW',
  ar: 'AE BH DZ EG IQ JO KW LB LY MA OM QA SA SD SY TN YE',
  he: 'IL',
} as const;

/** The main language of a seller's country. It is used if the seller has not chosen another one. */
export const languageOfCountry = (country: string): string =>
  Object.entries(countriesOf).find(([, countries]) => countries.split(' ').includes(country))?.[0] ?? 'en';
