import { UsageError } from '../../usage-error.ts';
import type { TypedWords } from '../kit/command.ts';
import type { Context } from './context.ts';
import { NotHappened } from './failures.ts';

/**
 * Asks the user before an action that cannot be undone, unless `--yes` was typed. Refuses the action if nobody can
 * answer, as in a script.
 */
export async function confirmOr(
  typed: TypedWords,
  { terminal, isJson }: Context,
  { question, refusal }: { question: string; refusal: string },
): Promise<void> {
  const isWanted = typed.flag('yes') || (isJson ? undefined : await terminal.confirm(question));
  if (isWanted === undefined) throw new UsageError(`${refusal} Add --yes.`);
  if (!isWanted) throw new NotHappened(refusal);
}
