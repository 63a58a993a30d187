/** The pages of `/docs`, which `infra/reference/make-site.ts` writes beside this file. Types are checked before it exists. */
declare module '*/site/built.json' {
  const site: { stylesHash: string; deflatedPages: Record<string, string> };
  export = site;
}
