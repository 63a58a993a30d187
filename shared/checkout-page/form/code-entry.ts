/** What the buyer does with discount codes on the page. */
export interface CodeEntry {
  /** The text of the field, without spaces and marks of direction, which copying brings along. */
  typed: string;
  /** Whether the button was pressed that applies it. */
  isApplied: boolean;
  /** The code whose button was pressed that removes it. */
  removed: string | null;
  /** The text that the page has refused already, so that it does not keep a buyer from paying. */
  refused: string;
}

export const noCode: CodeEntry = { typed: '', isApplied: false, removed: null, refused: '' };

/** The names of the fields, and of the buttons' value. */
export const codeFields = { typed: 'discount_code', action: 'code_action', refused: 'refused_code' } as const;
export const codeFieldId = 'code';
export const applyValue = 'apply';
export const removeValue = (code: string): string => `remove:${code}`;

/** So much of a text is shown again; no code is that long. */
const maxTyped = 40;

const plainText = (text: string): string => text.replace(/[\s\p{Cf}]/gu, '').slice(0, maxTyped);

export function parseCodeEntry(field: (name: string) => string): CodeEntry {
  const action = field(codeFields.action);
  return {
    typed: plainText(field(codeFields.typed)),
    isApplied: action === applyValue,
    removed: action.startsWith(removeValue('')) ? action.slice(removeValue('').length) : null,
    refused: plainText(field(codeFields.refused)),
  };
}

/**
 * Whether the typed code counts now: with its button, or with any other that the buyer presses. A price that the script asks for leaves
 * it alone, and so does another language. One that was refused counts again only with its own button.
 */
export function isEntered({ action, code }: { action: string; code: CodeEntry }, isSwitching: boolean): boolean {
  if (code.typed === '' || code.removed !== null) return false;
  return code.isApplied || (action !== 'refresh' && !isSwitching && code.typed !== code.refused);
}
