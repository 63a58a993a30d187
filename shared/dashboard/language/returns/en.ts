/** The texts of returns. The other languages have the same keys and placeholders. */
export const returnsEn = {
  title: 'Returns',
  'kind.oss': 'OSS, European Union',
  'kind.oss.hint':
    'A quarter, by member state and rate, in euro at the rate of its last day, with corrections of earlier quarters.',
  'kind.gb': 'United Kingdom',
  'kind.gb.hint': 'Boxes 1 and 6 in pounds, by the rates of the invoices, with their parts.',
  'kind.ch': 'Switzerland and Liechtenstein',
  'kind.ch.hint': 'Boxes 200, 303 and others in francs, with their parts.',
  'kind.general': 'Any country',
  'kind.general.hint': 'Sales and refunds by place, tax and rate, in the currencies of the sales.',
  'kind.payments': 'List of payments',
  'kind.payments.hint': 'One row for each payment, including failed ones. Days are in UTC.',
  new: 'Make a file',
  what: 'What',
  from: 'From',
  to: 'To',
  button: 'Make the files',
  how: 'How it counts',
  'how.text':
    'A sale counts on its tax date where the buyer is, a refund on the day it was paid, with the period of its sale. A refund that came back counts again.',
  'how.disputes':
    'A dispute is no refund: nothing in a return changes until you refund. What banks hold is listed and not counted. Make the files again before you declare: a payment may end days after its tax date.',
  'files.title': 'Files of the last 24 hours',
  'files.none': 'No files',
  'files.none.text': 'Files that you ask for are kept here for a day.',
  files: 'Files',
  again: 'Look again',
  period: 'Period',
  state: 'State',
  'state.waiting': 'waiting',
  'state.running': 'running',
  'state.done': 'done',
  'state.failed': 'failed',
  counted: 'Counted',
  askedFor: 'Asked for',
  note: 'Read the notes in the file before you declare.',
  'fault.kind': 'Choose what is to be made.',
  'fault.from': 'Choose a first day.',
  'fault.to': 'Choose a last day.',
  'fault.period':
    'Choose a last day that is not before the first, at most a year later; an OSS return covers a whole quarter.',
} as const;

export type ReturnsKey = keyof typeof returnsEn;
