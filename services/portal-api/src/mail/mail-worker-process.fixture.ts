/** A mail worker in a process of its own, for the test that kills it. */
import { openPool } from '@posthorn/store/pool'
import { openMailSender, openMailWorker } from './open-mail.ts'

const publicUrl = 'https://hooks.example.com'
const settings = { SMTP_URL: process.env['TEST_SMTP'], MAIL_FROM: 'mail@hooks.example.com' }
const log = { info: () => {}, warn: () => {} }
openMailWorker(
  { brand: 'Acme', publicUrl },
  {
    pool: openPool({
      url: process.env['TEST_DATABASE'] ?? '',
      max: 2,
      name: 'killed worker',
      onError: () => {},
    }),
    sendMail: openMailSender(settings, publicUrl, log),
    log,
    metrics: { count: () => {} },
  },
).start()
