import type { CheckoutStrings } from './en.ts';

export const checkoutHe: CheckoutStrings = {
  'code.add': 'הוספת קוד הנחה',
  'code.label': 'קוד הנחה',
  'code.apply': 'החלה',
  'code.remove': 'הסרת {code}',
  'code.applied': 'הקוד {code} הוחל.',
  'code.removed': 'הקוד {code} הוסר.',
  'code.held': 'קודים אינם מורידים את הסכום אל מתחת למינימום של {minimum}.',
  'offer.code': 'עם קוד ההנחה {code}, אם הוא תקף להזמנה זו.',
  'currency.label': 'מטבע',
  'currency.changed': 'המחירים כעת ב־{currency}.',
  'amount.stays': 'מתוך {gross}, נשארים אצל {merchant} אחרי מס {net}.',
  'quantity.label': 'כמות',
  'quantity.less': 'אחד פחות',
  'quantity.more': 'אחד יותר',
  'fault.quantity': 'יש להזין מספר שלם מ־{minimum} עד {maximum}.',
  'receipt.delivery': 'איך מקבלים את הרכישה',
  'receipt.open': 'פתיחת הרכישה',
  'fault.code.invalid': 'הקוד אינו תקף. יש לבדוק איך הוא נכתב.',
  'fault.code.expired': 'תוקף הקוד פג.',
  'fault.code.not_yet': 'הקוד עדיין אינו תקף.',
  'fault.code.used_up': 'הקוד נוצל עד תום.',
  'fault.code.products': 'הקוד אינו מיועד למוצרים אלה.',
  'fault.code.currency': 'הקוד אינו תקף ב־{currency}.',
  'fault.code.minimum': 'הקוד דורש הזמנה של {minimum} לפחות.',
  'fault.code.tries': 'הוזנו יותר מדי קודים שגויים. עדיין אפשר לשלם בלי קוד.',
  'fault.code.too_many': 'אי אפשר להוסיף עוד קודים להזמנה זו.',
  'notice.code_not_yours':
    'הקוד {code} אינו מיועד לכתובת הדוא״ל הזו. הסכום הכולל בלעדיו הוא {total}. יש לבדוק אותו ואז לשלם.',
  'notice.code_used_by_you':
    'השתמשת בקוד {code} את מספר הפעמים המרבי. הסכום הכולל בלעדיו הוא {total}. יש לבדוק אותו ואז לשלם.',
};
