import { dashboardTexts } from '../../texts/texts.ts';
import type { Entry } from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';

const { choice, date, text, textArea } = kindsOf(dashboardTexts('legal'));

type LabelKey = Parameters<typeof text>[2]['label'];

const line = (name: string, label: LabelKey, isRequired = false): Entry =>
  text(name, name, { label, maxLength: 300, isRequired });

const email = text('email', 'email', { label: 'field.email', maxLength: 254, type: 'email', isRequired: true });

/** The fields of the form that makes an imprint. */
export const imprintEntries = {
  name: line('name', 'field.name', true),
  legalForm: line('legalForm', 'field.legalForm'),
  represented: line('represented', 'field.represented'),
  address: textArea('address', 'address', { label: 'field.address', maxLength: 500, isRequired: true }),
  email,
  phone: line('phone', 'field.phone'),
  otherWay: line('otherWay', 'field.otherWay'),
  register: line('register', 'field.register'),
  taxId: line('taxId', 'field.taxId'),
  authority: line('authority', 'field.authority'),
  responsible: line('responsible', 'field.responsible'),
  arbitration: choice('arbitration', 'arbitration', {
    label: 'field.arbitration',
    options: (t) =>
      (['none', 'no', 'yes'] as const).map((value) => ({ value, label: t(`field.arbitration.${value}`) })),
  }),
  board: line('board', 'field.board'),
} as const satisfies Readonly<Record<string, Entry>>;

/** The fields of the form that makes a statement on accessibility. */
export const accessibilityEntries = {
  service: textArea('service', 'service', { label: 'field.service', maxLength: 500, isRequired: true }),
  status: choice('status', 'status', {
    label: 'field.status',
    options: (t) => (['full', 'partly'] as const).map((value) => ({ value, label: t(`field.status.${value}`) })),
  }),
  exceptions: textArea('exceptions', 'exceptions', { label: 'field.exceptions', maxLength: 2_000 }),
  email,
  authority: line('authority', 'field.authority'),
  checkedOn: date('checkedOn', 'checkedOn', { label: 'field.checkedOn', isRequired: true }),
} as const satisfies Readonly<Record<string, Entry>>;
