import { expect, test } from 'vitest'
import { validate } from './notifications-tab.tsx'

const TITLE = 'Enter a title.'
const MESSAGE = 'Enter a message.'
const RECIPIENT = 'Choose a user, or send to all users.'

test.each([
  { title: ' ', message: '', hasRecipient: false, errors: { title: TITLE, message: MESSAGE } },
  { title: 'Maintenance', message: ' ', hasRecipient: true, errors: { message: MESSAGE } },
  { title: 'Maintenance', message: 'At ten', hasRecipient: false, errors: { user_id: RECIPIENT } },
  { title: 'Maintenance', message: 'At ten', hasRecipient: true, errors: {} },
])('a notification "$title", "$message" has these errors: $errors', ({ title, message, hasRecipient, errors }) => {
  expect(validate({ title, message, type: 'info' }, hasRecipient)).toEqual(errors)
})
