import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { fromRoot } from './project.mjs';

/**
 * The SQL that would turn a database into what schema.prisma describes; null when it is that already.
 * Partial indexes are not compared: schema.prisma cannot describe them, so migrations add them by hand.
 *
 * @param {pg.Pool} pool on a scratch database to which all migrations were applied
 * @returns {Promise<string | null>}
 */
export async function diffSchema(pool) {
  const files = [schemaFile()];
  const engine = await openSchemaEngine(pool);
  try {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: fromRoot('.') },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? null : stdout;
  } finally {
    engine.free();
  }
}

/**
 * Prisma's schema engine, which its command line downloads, from npm.
 *
 * @param {pg.Pool} pool of one connection, where what is asked of the engine locks
 */
export async function openSchemaEngine(pool) {
  const { path, content } = schemaFile();
  const { SchemaEngine } = await (schemaEngine ??= loadSchemaEngine());
  const factory = bindMigrationAwareSqlAdapterFactory(catalogAdapterFactory(pool));
  return SchemaEngine.new({ datamodels: [[path, content]] }, () => undefined, factory);
}

function schemaFile() {
  const path = fromRoot('prisma/schema.prisma');
  return { path, content: readFileSync(path, 'utf8') };
}

/**
 * Prisma's adapter, and beyond it the catalog type "char", which the schema engine asks for and the adapter refuses:
 * the adapter gets to see text, and the engine is told of characters. The engine asks one question at a time.
 *
 * @param {pg.Pool} pool
 * @returns {import('@prisma/driver-adapter-utils').SqlMigrationAwareDriverAdapterFactory}
 */
function catalogAdapterFactory(pool) {
  /** @type {boolean[]} of the latest answer, by column */
  let isCharacter = [];
  const disguisingPool = new Proxy(pool, {
    get(target, property) {
      if (property !== 'query') return Reflect.get(target, property, target);
      return async (/** @type {[pg.QueryConfig]} */ ...query) => {
        const result = await target.query(...query);
        isCharacter = result.fields.map((field) => field.dataTypeID === pg.types.builtins.CHAR);
        for (const field of result.fields) {
          if (field.dataTypeID === pg.types.builtins.CHAR) field.dataTypeID = pg.types.builtins.TEXT;
        }
        return result;
      };
    },
  });
  const factory = new PrismaPg(disguisingPool);
  const connect = async () => {
    const adapter = await factory.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const answer = await queryRaw(query);
      const columnTypes = answer.columnTypes.map((type, column) =>
        isCharacter[column] ? ColumnTypeEnum.Character : type,
      );
      return { ...answer, columnTypes };
    };
    // As a whole, like the engine that Prisma downloads: the adapter would divide it at every semicolon.
    adapter.executeScript = async (script) => void (await pool.query(script));
    return adapter;
  };
  return { provider: factory.provider, adapterName: factory.adapterName, connect, connectToShadowDb: connect };
}

/**
 * What is used of WebAssembly; the types for Node leave it out.
 * @typedef {{ compile: (bytes: Uint8Array) => Promise<object>,
 *   instantiate: (module: object, imports: object) => Promise<{ exports: Record<string, () => void> }>,
 *   Module: { imports: (module: object) => { module: string }[] } }} WebAssemblyParts
 */

/** The bindings hold on to the memory of one instance. @type {ReturnType<typeof loadSchemaEngine> | null} */
let schemaEngine = null;

/**
 * The package is made for bundlers that import `.wasm` files; Node has to be helped.
 * @returns {Promise<typeof import('@prisma/schema-engine-wasm')>}
 */
async function loadSchemaEngine() {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const bindings = await import(pathToFileURL(join(folder, 'schema_engine_bg.js')).href);
  // Node has it without its types.
  const wasm = /** @type {WebAssemblyParts} */ (/** @type {unknown} */ (Reflect.get(globalThis, 'WebAssembly')));
  const module = await wasm.compile(readFileSync(join(folder, 'schema_engine_bg.wasm')));
  const imports = Object.fromEntries(wasm.Module.imports(module).map((wanted) => [wanted.module, bindings]));
  const { exports } = await wasm.instantiate(module, imports);
  // Where the engine leaves its last words before it traps.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: console.error } });
  bindings.__wbg_set_wasm(exports);
  exports['__wbindgen_start']?.();
  return bindings;
}
