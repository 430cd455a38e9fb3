import account from './account.json'
import error from './error.json'

export default { account, error }
