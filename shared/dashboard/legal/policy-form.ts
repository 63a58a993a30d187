import { type PolicyChange, type PolicyKind, policyKinds } from '../../domain/catalogue/policies.ts';
import { findLocale } from '../../pages/locale.ts';
import { prose } from '../../wire/text/texts.ts';
import type { DashboardForm } from '../form.ts';

/** The most characters of a text. */
export const maxPolicyLetters = 20_000;

/** A text in a form. An empty text ends the published one. */
export const policyText = () => prose(0, maxPolicyLetters);

/** A text that was typed, and the name of its field. */
export interface TypedPolicy extends PolicyChange {
  field: string;
}

/** The kind and the language in an address or a form. */
export function chosenPolicy(
  named: (name: string) => string | undefined,
  usual: string,
): { kind: PolicyKind; language: string } {
  const kind = policyKinds.find((known) => known === named('kind')) ?? 'terms';
  return { kind, language: findLocale(named('language')) ?? usual };
}

/**
 * The typed texts. A page may have been opened before an upgrade from 0.2.0. The form of 0.2.0 has one field for each
 * of its kinds, in the language of the merchant's country.
 */
export function typedPolicies(form: DashboardForm, usual: string): TypedPolicy[] {
  if (form.has('text'))
    return [{ ...chosenPolicy((name) => form.text(name), usual), text: form.text('text'), field: 'text' }];
  return policyKinds
    .filter((kind) => form.has(kind))
    .map((kind) => ({ kind, language: usual, text: form.text(kind), field: kind }));
}

/** The kinds of texts that a form can make. */
export type TemplateKind = 'imprint' | 'accessibility';

export const templateKind = (id: string): TemplateKind | undefined =>
  id === 'imprint' || id === 'accessibility' ? id : undefined;
