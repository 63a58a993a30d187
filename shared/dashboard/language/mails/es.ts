import type { MailsKey } from './en.ts';

export const mailsEs: Readonly<Record<MailsKey, string>> = {
  title: 'Correos',
  lead: 'Lo que reciben compradores y miembros, con una venta inventada. Los compradores reciben sus correos en su idioma; los miembros, en uno de los del panel.',
  unmailed:
    'Este stack todavía no envía correos. Indique una dirección de remitente en «receipts» en el archivo del comerciante y despliegue de nuevo.',
  language: 'Idioma del correo',
  brand: 'Marca',
  show: 'Mostrar',
  'invoice.title': 'Factura',
  'invoice.when': 'Al comprador, después de un pago.',
  'corrected.title': 'Factura rectificada',
  'corrected.when': 'Al comprador, cuando se añadió un número fiscal después de la venta.',
  'credit_note.title': 'Factura rectificativa',
  'credit_note.when': 'Al comprador, después de un reembolso.',
  'cancellation.title': 'Factura rectificativa anulada',
  'cancellation.when': 'Al comprador, cuando el banco ha devuelto un reembolso.',
  'link.title': 'Enlace de acceso',
  'link.when': 'Al miembro que lo ha pedido.',
  'invite.title': 'Invitación',
  'invite.when': 'A la persona invitada como miembro.',
  send: 'Enviarme este correo',
  'send.key':
    'Los miembros pueden enviarse cada uno de estos correos. Una clave no tiene dirección: para ello, inicie sesión por correo.',
  'said.sent': 'El ejemplo se le ha enviado.',
  'said.often': 'Ya ha recibido muchos ejemplos en esta hora. Inténtelo de nuevo dentro de una hora.',
  'said.failed': 'No se ha podido enviar el ejemplo. Inténtelo más tarde.',
  'example.subject': 'Ejemplo: {subject}',
  subject: 'Asunto',
  sender: 'Remitente',
  answers: 'Las respuestas van a',
  text: 'Como texto sin formato',
};
