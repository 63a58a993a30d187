import { filledText } from '../../pages/direction.ts';
import type { Locale } from '../../pages/locale.ts';

/** The texts of the page of a recovery link, which no other page has. */
const en = {
  title: 'Continue your order',
  text: 'This checkout has expired, and nothing was charged. You can order the same again.',
  changed: 'Some prices have changed since then.',
  gone: 'No longer on sale: {products}',
  codes: 'No longer valid: {codes}',
};

type RecoveryStrings = Readonly<Record<keyof typeof en, string>>;

export const recoveryStrings: Readonly<Record<Locale, RecoveryStrings>> = {
  en,
  de: {
    title: 'Bestellung fortsetzen',
    text: 'Diese Kasse ist abgelaufen, und es wurde nichts abgebucht. Sie können dasselbe noch einmal bestellen.',
    changed: 'Einige Preise haben sich seitdem geändert.',
    gone: 'Nicht mehr erhältlich: {products}',
    codes: 'Nicht mehr gültig: {codes}',
  },
  fr: {
    title: 'Reprendre votre commande',
    text: 'Ce paiement a expiré et rien n’a été débité. Vous pouvez repasser la même commande.',
    changed: 'Certains prix ont changé depuis.',
    gone: 'N’est plus en vente : {products}',
    codes: 'N’est plus valable : {codes}',
  },
  es: {
    title: 'Continúa con tu pedido',
    text: 'Este pago ha caducado y no se ha cobrado nada. Puedes volver a pedir lo mismo.',
    changed: 'Algunos precios han cambiado desde entonces.',
    gone: 'Ya no está a la venta: {products}',
    codes: 'Ya no es válido: {codes}',
  },
  pt: {
    title: 'Continuar a sua encomenda',
    text: 'Este pagamento expirou e nada foi cobrado. Pode voltar a encomendar o mesmo.',
    changed: 'Alguns preços mudaram desde então.',
    gone: 'Já não está à venda: {products}',
    codes: 'Já não é válido: {codes}',
  },
  it: {
    title: 'Continua il tuo ordine',
    text: 'Questo pagamento è scaduto e non è stato addebitato nulla. Puoi ordinare di nuovo le stesse cose.',
    changed: 'Da allora alcuni prezzi sono cambiati.',
    gone: 'Non più in vendita: {products}',
    codes: 'Non più valido: {codes}',
  },
  nl: {
    title: 'Ga verder met je bestelling',
    text: 'Deze betaalpagina is verlopen en er is niets afgeschreven. Je kunt hetzelfde opnieuw bestellen.',
    changed: 'Sommige prijzen zijn sindsdien veranderd.',
    gone: 'Niet meer te koop: {products}',
    codes: 'Niet meer geldig: {codes}',
  },
  sv: {
    title: 'Fortsätt din beställning',
    text: 'Den här kassan har gått ut och inget har debiterats. Du kan beställa samma sak igen.',
    changed: 'Några priser har ändrats sedan dess.',
    gone: 'Säljs inte längre: {products}',
    codes: 'Gäller inte längre: {codes}',
  },
  pl: {
    title: 'Kontynuuj zamówienie',
    text: 'Ta strona płatności wygasła i nic nie zostało pobrane. Możesz zamówić to samo ponownie.',
    changed: 'Niektóre ceny zmieniły się od tego czasu.',
    gone: 'Już niedostępne: {products}',
    codes: 'Już nieważne: {codes}',
  },
  ja: {
    title: 'ご注文を続ける',
    text: 'この購入手続きは期限切れで、請求は行われていません。同じ内容でもう一度ご注文いただけます。',
    changed: 'その後、一部の価格が変わりました。',
    gone: '販売終了：{products}',
    codes: '無効になったコード：{codes}',
  },
  zh: {
    title: '继续您的订单',
    text: '此结账页面已过期，未扣除任何款项。您可以重新订购相同的商品。',
    changed: '部分价格此后有所变动。',
    gone: '已停售：{products}',
    codes: '已失效：{codes}',
  },
  ar: {
    title: 'متابعة طلبك',
    text: 'انتهت صلاحية صفحة الشراء هذه ولم يُحصَّل أي مبلغ. يمكنك طلب الشيء نفسه مرة أخرى.',
    changed: 'تغيّرت بعض الأسعار منذ ذلك الحين.',
    gone: 'لم يعد معروضًا للبيع: {products}',
    codes: 'لم يعد صالحًا: {codes}',
  },
  he: {
    title: 'המשך ההזמנה',
    text: 'תוקף דף התשלום הזה פג ולא בוצע שום חיוב. אפשר להזמין שוב את אותו הדבר.',
    changed: 'חלק מהמחירים השתנו מאז.',
    gone: 'לא נמכר עוד: {products}',
    codes: 'לא תקף עוד: {codes}',
  },
};

export const recoveryText = (
  locale: Locale,
  key: keyof RecoveryStrings,
  values: Readonly<Record<string, string>> = {},
): string => filledText(recoveryStrings[locale][key], values, locale);
