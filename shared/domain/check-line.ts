/** One line in the result of a check: correct, an error, a warning, or only information. */
export interface CheckLine {
  is: 'good' | 'missing' | 'warning' | 'note';
  text: string;
}

export const fulfilled = (text: string): CheckLine => ({ is: 'good', text });
export const lacks = (text: string): CheckLine => ({ is: 'missing', text });
export const warns = (text: string): CheckLine => ({ is: 'warning', text });
export const remark = (text: string): CheckLine => ({ is: 'note', text });

const marks: Readonly<Record<CheckLine['is'], string>> = { good: '[x]', missing: '[ ]', warning: '[!]', note: ' - ' };

export const describeLine = ({ is, text }: CheckLine): string => `${marks[is]} ${text}`;
