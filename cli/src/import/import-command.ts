/** The options and the help of `posthorn import`. */
import type { Command } from 'commander'

export function describeImport(command: Command): Command {
  return command
    .description('take over applications, endpoints with their secrets, and event types')
    .addArgument(command.createArgument('<service>').choices(['svix', 'convoy', 'outpost']))
    .option('--from-url <url>', 'of its API')
    .option(
      '--from-token <token>',
      'of its API; better in the environment, which others cannot see',
    )
    .option('--from-project <id>', "the project's id in Convoy")
    .option('--from-file <path>', 'read what --save-to has saved, and nothing else')
    .option('--save-to <path>', 'save everything in a file, secrets included, and end')
    .option('--no-schemas', 'event types without their schemas, which events are checked against')
    .option('--dry-run', 'show what would be done')
    .option('--yes', 'without asking')
    .addHelpText('after', IMPORT_HELP)
}

const IMPORT_HELP = `
Tokens: SVIX_AUTH_TOKEN, CONVOY_API_KEY, OUTPOST_API_KEY (of the administrator).

What becomes what:
  Svix          application  -> sub-account; its uid, else its id, is the external id
                endpoint     -> endpoint: URL, event types, headers, rate, disabled -> paused, secret
                event type   -> event type with its newest schema
  Convoy        owner_id     -> sub-account with that external id; without one: the workspace
                subscription -> endpoint: event types and filter, with its endpoint's URL, secret,
                                key header, rate and timeout; inactive -> paused
                event type   -> event type with its schema
  Outpost       tenant       -> sub-account with that external id
                webhook      -> endpoint: URL, topics, filter of data, headers, secret, disabled ->
                                paused; destinations of other types are skipped
                topic        -> event type
Secrets stay as they are, and so does a former one that is still valid. The id of an endpoint stands
at the end of its description, as [svix ep_...]: leave it there, for the next run finds it by that.

What goes on to verify, with the same secret:
  Svix          svix's and Standard Webhooks' libraries; code that reads the svix-* headers itself
                has to read webhook-id, webhook-timestamp and webhook-signature
  Outpost       in its standard mode everything; in its default mode verify X-Service-Signature
  Convoy        verify X-Service-Signature instead of X-Convoy-Signature
Skipped, with the reason: asymmetric keys, channels, transformations and functions, OAuth 2, filters
without an exact counterpart, secrets of fewer than 16 characters. Paused, with a note: endpoints
with headers or client certificates that the service does not tell. Not read: messages, attempts,
portal links, sources.`
