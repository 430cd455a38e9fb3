/** Options of e-mail addresses at registration. */
import { z } from 'zod'
import { isEmailDomain } from '../../contracts/address.ts'
import { flag, list, section } from './declare.ts'

const Domains = z
  .array(z.string().toLowerCase().refine(isEmailDomain, 'option.bad_domain'))
  .refine(domains => new Set(domains).size === domains.length, 'option.domain_twice')

const freeMail = [
  'gmail.com',
  '163.com',
  '126.com',
  'qq.com',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'yahoo.com',
  'foxmail.com',
]

export const email = section({
  tab: 'system',
  root: true,
  options: {
    EmailDomainRestrictionEnabled: flag(false),
    EmailAliasRestrictionEnabled: flag(false),
    EmailDomainWhitelist: list(freeMail, Domains),
  },
  check: value =>
    value.EmailDomainRestrictionEnabled && !value.EmailDomainWhitelist.length ? 'option.whitelist_empty' : undefined,
})
