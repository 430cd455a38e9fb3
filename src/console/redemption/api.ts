/** JSON API of redemption codes: administrators manage them, users redeem them. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { Id, optional, pageOf } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import {
  CodeEdit,
  CodeFilter,
  CodeIds,
  CodeName,
  CodeSwitch,
  NewCodes,
  RedeemBody,
} from '../../contracts/redemption.ts'
import { notFound } from '../../contracts/refusal.ts'
import {
  codeOf,
  countCodesNamed,
  createCodes,
  deleteCodes,
  deleteCodesNamed,
  deleteDisabledCodes,
  disableCodes,
  editCode,
  listCodes,
  redeem,
  switchCode,
} from '../../domain/redemption/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { idempotencyKeyOf } from '../../web/idempotency-key.ts'
import { addressOf } from '../../web/request.ts'
import { guard } from '../guard.ts'

const ListQuery = CodeFilter.extend({ p: optional, page_size: optional })
const EditQuery = z.object({ status_only: optional })
const NameQuery = z.object({ name: optional })

export const redemptionApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/redemption/', async ({ query }) => ok(await listCodes({}, pageOf(query, 1))), {
    admin: true,
    query: ListQuery,
  })
  .get('/api/redemption/search', async ({ query }) => ok(await listCodes(query, pageOf(query, 1))), {
    admin: true,
    query: ListQuery,
  })
  .get('/api/redemption/count-by-name', async ({ query }) => ok(await countCodesNamed(parse(CodeName, query).name)), {
    admin: true,
    query: NameQuery,
  })
  .get('/api/redemption/:id', async ({ params }) => ok(await codeOf(params.id)), { admin: true, params: Id })
  .post(
    '/api/redemption/',
    async ({ actor, request, body }) => {
      const codes = await createCodes(actor, parse(NewCodes, body), idempotencyKeyOf(request))
      return ok(codes.map(code => code.key))
    },
    { admin: true },
  )
  .put(
    '/api/redemption/',
    async ({ actor, body, query }) =>
      ok(
        query.status_only
          ? await switchCode(actor, parse(CodeSwitch, body))
          : await editCode(actor, parse(CodeEdit, body)),
      ),
    { admin: true, query: EditQuery },
  )
  .put(
    '/api/redemption/batch-disable',
    async ({ actor, body }) => ok(await disableCodes(actor, parse(CodeIds, body).ids)),
    { admin: true },
  )
  .delete('/api/redemption/delete-disabled', async ({ actor }) => ok(await deleteDisabledCodes(actor)), { admin: true })
  .delete(
    '/api/redemption/delete-by-name',
    async ({ actor, query }) => ok(await deleteCodesNamed(actor, parse(CodeName, query).name)),
    { admin: true, query: NameQuery },
  )
  .delete(
    '/api/redemption/:id',
    async ({ actor, params }) => {
      const deleted = await deleteCodes(actor, [params.id])
      if (!deleted) throw notFound('redemption.not_found')
      return ok(deleted)
    },
    { admin: true, params: Id },
  )
  .post(
    '/api/user/topup',
    async ({ caller, request, server, body }) =>
      ok(
        await redeem(
          { ...parse(RedeemBody, body), user_id: caller.id, address: addressOf(request, server) },
          idempotencyKeyOf(request),
        ),
      ),
    { signedIn: true },
  )
