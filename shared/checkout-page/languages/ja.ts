import type { CheckoutStrings } from './en.ts';

export const checkoutJa: CheckoutStrings = {
  'code.add': '割引コードを追加',
  'code.label': '割引コード',
  'code.apply': '適用',
  'code.remove': '{code}を削除',
  'code.applied': 'コード{code}を適用しました。',
  'code.removed': 'コード{code}を削除しました。',
  'code.held': 'コードを使っても、最低額の{minimum}を下回ることはありません。',
  'offer.code': '割引コード{code}を使用します（この注文に有効な場合）。',
  'currency.label': '通貨',
  'currency.changed': '価格は{currency}で表示されています。',
  'amount.stays': '{gross}のうち、税引き後の{net}が{merchant}に届きます。',
  'quantity.label': '数量',
  'quantity.less': '1つ減らす',
  'quantity.more': '1つ増やす',
  'fault.quantity': '{minimum}から{maximum}までの整数を入力してください。',
  'receipt.delivery': '商品の受け取り方',
  'receipt.open': '購入した商品を開く',
  'fault.code.invalid': 'このコードは無効です。入力内容をご確認ください。',
  'fault.code.expired': 'このコードは有効期限が切れています。',
  'fault.code.not_yet': 'このコードはまだ有効ではありません。',
  'fault.code.used_up': 'このコードは使用上限に達しました。',
  'fault.code.products': 'このコードはこれらの商品には使えません。',
  'fault.code.currency': 'このコードは{currency}では使えません。',
  'fault.code.minimum': 'このコードは{minimum}以上のご注文で使えます。',
  'fault.code.tries': '誤ったコードの入力が多すぎます。コードなしでのお支払いは可能です。',
  'fault.code.too_many': 'この注文にはこれ以上コードを追加できません。',
  'notice.code_not_yours':
    'コード{code}はこのメールアドレスではご利用いただけません。割引なしの合計は{total}です。ご確認のうえ、お支払いください。',
  'notice.code_used_by_you':
    'コード{code}の利用回数が上限に達しています。割引なしの合計は{total}です。ご確認のうえ、お支払いください。',
};
