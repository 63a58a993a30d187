import { parseSync, printSync } from '@swc/core';
import { describe, expect, it } from 'vitest';
import { isWithin, type Tree, treeOf } from './tree.ts';

/** Where code may name Stripe, and why. Everything else finds its processor in the registry. */
const places = [
  { of: 'shared/outside/processor/stripe', because: 'its own folder' },
  { of: 'shared/outside/processor/registry.ts', because: 'the registry chooses a processor by name' },
  { of: 'infra/endpoints.ts', because: 'the route of its notifications' },
  { of: 'infra/local/stripe', because: 'this machine plays Stripe' },
  { of: 'infra/local/demo', because: 'the demo sells by the played Stripe' },
  { of: 'infra/emulator', because: 'the rehearsals sell by the played Stripe' },
  { of: 'shared/store/table/packed.ts', because: 'the dictionary of packed rows, which never changes' },
  { of: 'shared/wire/payments/payment-answer.ts', because: 'tells integrators which names a payment carries' },
  { of: 'infra/contract/operations/payments.ts', because: 'tells integrators in which steps refunds move' },
];

/** A module without its comments. */
const codeOf = (source: string): string =>
  printSync(parseSync(source, { syntax: 'typescript', target: 'es2022' })).code;

const naming = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([path, source]) =>
    /stripe/i.test(source) && /stripe/i.test(codeOf(source)) ? [path] : [],
  );

const strangers = (tree: Tree): string[] => naming(tree).filter((path) => !places.some(({ of }) => isWithin(path, of)));

describe('the name of a processor', () => {
  const tree = treeOf('shared', 'functions', 'infra');

  it('appears only in its folder, the registry, its route and the listed exceptions', () => {
    expect(strangers(tree)).toEqual([]);
  });

  it('appears in every listed exception, so the list has no outdated entry', () => {
    const paths = naming(tree);
    const named = places.filter(({ of }) => paths.some((path) => isWithin(path, of)));
    const there = places.filter(({ of }) => Object.keys(tree).some((path) => isWithin(path, of)));
    expect(named).toEqual(there);
  });
});

/** A guard is trusted after it has been seen to fail. */
describe('the check for processor names', () => {
  it.each([
    "export const name = 'stripe';",
    "import type Stripe from 'stripe';",
    "export const stripeUrl = '';",
    'export const text = `of Stripe`;',
  ])('finds %j in a file that is not a listed exception', (source) => {
    expect(strangers({ 'shared/wiring/selling.ts': source })).toEqual(['shared/wiring/selling.ts']);
  });

  it.each(['/** As Stripe says. */\nexport const a = 1;', 'export const a = 1; // as Stripe says'])(
    'accepts %j in a comment',
    (source) => {
      expect(strangers({ 'shared/wiring/selling.ts': source })).toEqual([]);
    },
  );
});
