/**
 * The pages of `/docs`. `infra/reference/make-site.ts` writes them beside this file. This declaration is needed because
 * types are checked before they exist.
 */
declare module '*/site/built.json' {
  const site: { stylesHash: string; deflatedPages: Record<string, string> };
  export = site;
}
