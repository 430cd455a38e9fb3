/** Messages of administrators and the inboxes of users. */
export { messageAdministrators, messageUser } from './administrators.ts'
export { inboxMessage, listInbox, markAllRead, markRead, unreadCount } from './inbox.ts'
export { pickableUsers, recipientsOf, usernamesOf } from './recipients.ts'
export { createMessage, deleteMessage, editMessage, findMessages, sentMessage, walkMessages } from './service.ts'
