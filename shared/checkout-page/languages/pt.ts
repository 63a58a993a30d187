import type { CheckoutStrings } from './en.ts';

export const checkoutPt: CheckoutStrings = {
  'code.add': 'Adicionar um código de desconto',
  'code.label': 'Código de desconto',
  'code.apply': 'Aplicar',
  'code.remove': 'Remover {code}',
  'code.applied': 'O código {code} foi aplicado.',
  'code.removed': 'O código {code} foi removido.',
  'code.held': 'Os códigos não baixam este valor do mínimo de {minimum}.',
  'offer.code': 'Com o código de desconto {code}, se for válido para esta encomenda.',
  'currency.label': 'Moeda',
  'currency.changed': 'Os preços estão agora em {currency}.',
  'amount.stays': 'De {gross}, {merchant} recebe {net} após impostos.',
  'quantity.label': 'Quantidade',
  'quantity.less': 'Menos um',
  'quantity.more': 'Mais um',
  'fault.quantity': 'Introduza um número inteiro de {minimum} a {maximum}.',
  'receipt.delivery': 'Como obter a sua compra',
  'receipt.open': 'Abrir a sua compra',
  'fault.code.invalid': 'Este código não é válido. Verifique como se escreve.',
  'fault.code.expired': 'Este código expirou.',
  'fault.code.not_yet': 'Este código ainda não é válido.',
  'fault.code.used_up': 'Este código está esgotado.',
  'fault.code.products': 'Este código não é para estes produtos.',
  'fault.code.currency': 'Este código não é válido em {currency}.',
  'fault.code.minimum': 'O código exige uma encomenda de pelo menos {minimum}.',
  'fault.code.tries': 'Foram introduzidos demasiados códigos errados. Ainda pode pagar sem código.',
  'fault.code.too_many': 'Não é possível adicionar mais códigos a esta encomenda.',
  'notice.code_not_yours':
    'O código {code} não é para este endereço de e-mail. Sem ele, o total é {total}. Verifique-o e depois pague.',
  'notice.code_used_by_you':
    'Já usou o código {code} tantas vezes quantas pode. Sem ele, o total é {total}. Verifique-o e depois pague.',
};
