/**
 * The commands, their options and their help. What a command does is loaded when it is called: help
 * and completion need none of it.
 */
import { Command, Option } from 'commander'
import { completionScript, type Shell } from './completion.ts'
import { describeImport } from './import/import-command.ts'
import { type Output, withoutKeys } from './output.ts'
import { printableLines } from './terminal-text.ts'
import { VERSION } from './version.ts'

export interface ProgramDeps {
  output(isJson: boolean): Output
  /** Aborted when the user ends the command. */
  signal(): AbortSignal
  stdout(text: string): void
  stderr(text: string): void
}

type Run<Args extends unknown[]> = (options: never, out: Output, ...args: Args) => Promise<void>

export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('posthorn')
    .description('Webhooks on your machine, and what became of them.')
    .version(VERSION)
    .option('--json', 'results as NDJSON on stdout, everything else on stderr')
    .option('--profile <name>', 'the saved key to use')
    .option('--project <id>', 'act in a project')
    .option('--sub-account <id>', 'act in a sub-account: its id or its external id')
    .exitOverride()
    .showHelpAfterError('(posthorn --help, or posthorn help <command>)')
    .configureOutput({
      writeOut: (text) => deps.stdout(printableLines(text)),
      writeErr: (text) => deps.stderr(printableLines(withoutKeys(text))),
    })
    .addHelpText('after', EXIT_CODES)
  /** Calls what a command does with its options, the global ones included. */
  const action =
    <Args extends unknown[]>(run: Run<Args>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command
      const options = command.optsWithGlobals<{ json?: boolean }>()
      await run(
        options as never,
        deps.output(options.json === true),
        ...(given.slice(0, -2) as Args),
      )
    }
  addLocalCommands(program, action, deps)
  addLookingCommands(program, action, deps)
  addEndpointCommands(program, action)
  addConfigCommands(program, action)
  program
    .command('completion')
    .description('a completion script: eval "$(posthorn completion bash)"')
    .addArgument(program.createArgument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: Shell) => deps.stdout(completionScript(program, shell)))
  return program
}

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 no access.`

type Action = <Args extends unknown[]>(run: Run<Args>) => (...given: unknown[]) => Promise<void>

function addLocalCommands(program: Command, action: Action, deps: ProgramDeps): void {
  program
    .command('login')
    .description('check an API key and keep it; it is read from standard input, or typed unseen')
    .option('--url <url>', 'of the installation', 'http://127.0.0.1:8080')
    .option('--forget', 'forget the key instead')
    .action(action(async (options, out) => await (await import('./login.ts')).logIn(options, out)))
  program
    .command('listen')
    .description('forward events to an application on this machine')
    .argument('<url>', 'where to: a port, or a URL')
    .option('--events <patterns>', 'of these types only: order.*,invoice.paid')
    .option('--ordered', 'one after the other, in the order of acceptance')
    .option('--concurrency <n>', 'requests at once, without --ordered', '8')
    .option('--timeout <seconds>', 'for the application to answer', '30')
    .option('--insecure', 'take a certificate that nobody vouches for')
    .option('--forget', 'delete the endpoint at the end, with what waits')
    .option('--print-secret', 'print the secret to verify with, and end')
    .action(
      action<[string]>(async (options, out, url) => {
        const { listen } = await import('./listen/listen.ts')
        await listen(url, options, out, deps.signal())
      }),
    )
  program
    .command('trigger')
    .description('send an event')
    .argument('<type>', 'of the event, such as order.paid')
    .option('--data <json>', 'the payload')
    .option('--file <path>', 'the payload, in a file; - is standard input')
    .option('--endpoint <id>', 'to this endpoint alone, whatever it subscribes to')
    .option('--count <n>', 'as many events', '1')
    .option('--delay <seconds>', 'deliver it later')
    .action(
      action<[string]>(
        async (options, out, type) =>
          await (await import('./trigger.ts')).trigger(type, options, out),
      ),
    )
  program
    .command('verify')
    .description('verify a captured request, step by step')
    .argument(
      '<file>',
      'the request as HTTP, or as JSON with headers and body; - is standard input',
    )
    .option('--secret-file <path>', 'the signing secret; else POSTHORN_SIGNING_SECRET')
    .option('--global', 'use the global secret of the workspace')
    .option('--brand <word>', "the word in the headers' names", 'Service')
    .option('--tolerance <seconds>', 'how old the request may be', '300')
    .option('--at <date>', 'as if it had come then')
    .action(
      action<[string]>(
        async (options, out, file) =>
          await (await import('./verify.ts')).verify(file, options, out),
      ),
    )
}

function addLookingCommands(program: Command, action: Action, deps: ProgramDeps): void {
  const statuses = ['queued', 'delivering', 'delivered', 'failed', 'dead']
  program
    .command('tail')
    .description('events as they come')
    .option('--type <type>', 'of this type only')
    .option('--endpoint <id>', 'to this endpoint only')
    .addOption(new Option('--status <status>', 'with this status only').choices(statuses))
    .option('--attempts', 'attempts instead of events')
    .addOption(
      new Option('--outcome <outcome>', 'with --attempts: these only').choices([
        'success',
        'failure',
        'timeout',
      ]),
    )
    .option('--since <time>', 'from then on: 10m, 2h, or a date', '0s')
    .option('--no-follow', 'end when all is shown')
    .action(
      action(
        async (options, out) => await (await import('./tail.ts')).tail(options, out, deps.signal()),
      ),
    )
  program
    .command('explain')
    .description('why an event went where, and what it waits for')
    .argument('<event>', 'its id')
    .action(
      action<[string]>(
        async (options, out, id) => await (await import('./explain.ts')).explain(id, options, out),
      ),
    )
  program
    .command('replay')
    .description('deliver again what did not succeed')
    .argument('[event]', 'the id of one event')
    .option('--since <time>', "an endpoint's of that time: 10m, 2h, or a date")
    .option('--until <time>', 'and before that time')
    .option('--endpoint <id>', 'with --since: the endpoint')
    .addOption(new Option('--status <status>', 'these only').choices(['dead', 'failed']))
    .option('--dry-run', 'say what would be delivered again, and change nothing')
    .option('--no-wait', 'do not wait for the end')
    .action(
      action<[string | undefined]>(
        async (options, out, id) => await (await import('./replay.ts')).replay(id, options, out),
      ),
    )
  program
    .command('doctor')
    .description('check the connection, the clock, the key, and an endpoint')
    .argument('[endpoint]', 'the id of an endpoint, or a URL')
    .option('--send', 'also send a test event, and a forged request, to the endpoint')
    .action(
      action<[string | undefined]>(
        async (options, out, target) =>
          await (await import('./doctor.ts')).doctor(target, options, out),
      ),
    )
  program
    .command('mcp')
    .description('tools for a model, over standard input and output')
    .option('--allow-replay', 'offer the tool that replays an event')
    .action(
      action(
        async (options, out) => await (await import('./mcp/serve-mcp.ts')).serveMcp(options, out),
      ),
    )
}

function addEndpointCommands(program: Command, action: Action): void {
  const endpoints = program.command('endpoints').description('endpoints, and how they are')
  endpoints
    .command('list', { isDefault: true })
    .description('all endpoints')
    .action(
      action(
        async (options, out) => await (await import('./endpoints.ts')).listEndpoints(options, out),
      ),
    )
  endpoints
    .command('health')
    .description('how each endpoint is doing, the worst first')
    .action(
      action(
        async (options, out) => await (await import('./endpoints.ts')).endpointHealth(options, out),
      ),
    )
  endpoints
    .command('get')
    .description('one endpoint')
    .argument('<id>')
    .action(
      action<[string]>(
        async (options, out, id) =>
          await (await import('./endpoints.ts')).getEndpoint(id, options, out),
      ),
    )
  const actions = {
    pause: 'hold its deliveries',
    resume: 'release what it holds',
    test: 'send it a test event',
    delete: 'delete it; its pending deliveries become dead',
  } as const
  for (const [name, description] of Object.entries(actions)) {
    const command = endpoints.command(name).description(description).argument('<id>')
    if (name === 'delete') command.option('--yes', 'without asking')
    command.action(
      action<[string]>(async (options, out, id) => {
        const { changeEndpoint } = await import('./endpoints.ts')
        await changeEndpoint(name as keyof typeof actions, id, options, out)
      }),
    )
  }
}

function addConfigCommands(program: Command, action: Action): void {
  program
    .command('apply')
    .description('make endpoints, event types, connectors and alert rules as a file says')
    .requiredOption('-f, --file <path>', 'YAML or JSON; - is standard input')
    .option('--plan', 'show what would be done')
    .option('--drift', 'show it, and exit with 1 where there is a difference')
    .option('--prune', 'delete what the file does not have, in the sections that it has')
    .option('--yes', 'without asking')
    .action(
      action(async (options, out) => await (await import('./apply/apply.ts')).apply(options, out)),
    )
  program
    .command('export')
    .description('write such a file')
    .option('--out <path>', 'instead of standard output')
    .option('--only <sections>', 'endpoints,eventTypes,connectors,alertRules')
    .action(
      action(
        async (options, out) => await (await import('./apply/apply.ts')).exportConfig(options, out),
      ),
    )
  describeImport(program.command('import')).action(
    action<[string]>(
      async (options, out, service) =>
        await (await import('./import/import.ts')).importFrom(service, options, out),
    ),
  )
  program
    .command('types')
    .description("the event types' schemas as TypeScript")
    .option('--out <path>', 'instead of standard output')
    .option('--check', 'write nothing; exit with 1 where the file is not up to date')
    .action(
      action(
        async (options, out) =>
          await (await import('./types/write-types.ts')).writeTypes(options, out),
      ),
    )
}
