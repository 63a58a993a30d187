import { functionsOf } from '../local-aws/functions.ts';

/** The documentation's function imports its pages, so they must be built first. */
async function loadFunction(name: string): Promise<{ handler?: unknown }> {
  if (name === 'contract/show-docs') (await import('../reference/make-site.ts')).makeSite();
  return import(new URL(`../../functions/${name}.ts`, import.meta.url).href);
}

/** The functions of this repository, by their names in the route table: `products/create-product`. */
export const { invoke: invokeFunction, warmUp } = functionsOf(loadFunction);
