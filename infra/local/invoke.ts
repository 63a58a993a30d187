import { functionsOf } from '../local-aws/functions.ts';

/** Loads the code of a function. The function of the documentation imports its pages, so they are built before. */
async function loadFunction(name: string): Promise<{ handler?: unknown }> {
  if (name === 'contract/show-docs') (await import('../reference/make-site.ts')).makeSite();
  return import(new URL(`../../functions/${name}.ts`, import.meta.url).href);
}

/** The functions of this repository, by their names in the route table: `products/create-product`. */
export const { invoke: invokeFunction, warmUp } = functionsOf(loadFunction);
