import type { DomainError } from '../domain/errors.ts';
import type { FormFault } from './parts.ts';

/** What the API says of a form, at its fields: `names` are the paths that are called something else on the page. */
export function faultsOf({ message, details }: DomainError, names: Readonly<Record<string, string>> = {}): FormFault[] {
  const { faults = [] } = details;
  if (faults.length === 0) return [{ field: '', message }];
  return faults.map((fault) => {
    const field = names[fault.path] ?? fault.path;
    const words = field.replaceAll(/[_.[\]]+/g, ' ').trim();
    const begins = words.charAt(0).toUpperCase() + words.slice(1);
    return { field, message: /^[A-Z]/.test(fault.message) ? fault.message : `${begins}: ${fault.message}.` };
  });
}
