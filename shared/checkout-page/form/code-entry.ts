/** What the buyer did with discount codes on the page. */
export interface CodeEntry {
  /** The text of the field. Spaces and direction marks, which copying may add, are removed. */
  typed: string;
  /** Whether the buyer pressed the button that applies the code. */
  isApplied: boolean;
  /** The code to remove, if the buyer pressed its button. */
  removed: string | null;
  /** The text that the page has already refused as a code. It does not stop the buyer from paying. */
  refused: string;
}

export const noCode: CodeEntry = { typed: '', isApplied: false, removed: null, refused: '' };

/** The names of the fields about codes, and the name of their buttons. */
export const codeFields = { typed: 'discount_code', action: 'code_action', refused: 'refused_code' } as const;
export const codeFieldId = 'code';
export const applyValue = 'apply';
export const removeValue = (code: string): string => `remove:${code}`;

/** The longest text that is shown again. No code is that long. */
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
 * Whether the typed code must be applied, after its own button or any other button. It is not applied when the script
 * asks for a price, or when the language changes. A refused code is tried again only with its own button.
 */
export function isEntered({ action, code }: { action: string; code: CodeEntry }, isSwitching: boolean): boolean {
  if (code.typed === '' || code.removed !== null) return false;
  return code.isApplied || (action !== 'refresh' && !isSwitching && code.typed !== code.refused);
}
