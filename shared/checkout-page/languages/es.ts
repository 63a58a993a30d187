import type { CheckoutStrings } from './en.ts';

export const checkoutEs: CheckoutStrings = {
  'code.add': 'Añadir un código de descuento',
  'code.label': 'Código de descuento',
  'code.apply': 'Aplicar',
  'code.remove': 'Quitar {code}',
  'code.applied': 'El código {code} está aplicado.',
  'code.removed': 'El código {code} se ha quitado.',
  'code.held': 'Los códigos no bajan este importe del mínimo de {minimum}.',
  'offer.code': 'Con el código de descuento {code}, si es válido para este pedido.',
  'currency.label': 'Moneda',
  'currency.changed': 'Los precios están ahora en {currency}.',
  'amount.stays': 'De {gross}, {merchant} recibe {net} después de impuestos.',
  'quantity.label': 'Cantidad',
  'quantity.less': 'Uno menos',
  'quantity.more': 'Uno más',
  'fault.quantity': 'Introduce un número entero de {minimum} a {maximum}.',
  'receipt.delivery': 'Cómo obtener tu compra',
  'receipt.open': 'Abrir tu compra',
  'fault.code.invalid': 'Este código no es válido. Revisa cómo se escribe.',
  'fault.code.expired': 'Este código ha caducado.',
  'fault.code.not_yet': 'Este código todavía no es válido.',
  'fault.code.used_up': 'Este código está agotado.',
  'fault.code.products': 'Este código no es para estos productos.',
  'fault.code.currency': 'Este código no es válido en {currency}.',
  'fault.code.minimum': 'El código requiere un pedido de al menos {minimum}.',
  'fault.code.tries': 'Se han introducido demasiados códigos incorrectos. Puedes seguir pagando sin código.',
  'fault.code.too_many': 'No se pueden añadir más códigos a este pedido.',
  'notice.code_not_yours':
    'El código {code} no es para esta dirección de correo electrónico. Sin él, el total es de {total}. Revísalo y luego paga.',
  'notice.code_used_by_you':
    'Ya has usado el código {code} tantas veces como se puede. Sin él, el total es de {total}. Revísalo y luego paga.',
};
