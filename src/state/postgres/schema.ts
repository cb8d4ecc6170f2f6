// The tables of the state: a separate schema, with a version. A schema is created and brought up to date by the first run that
// writes, in one transaction; a run that only reads changes nothing.
import { sqlName } from "./database-failure.ts";

/**
 * Forward only; never edit one that was released. Each file has one or more parts: what is added to a file is another part,
 * numbered by the write that added it.
 */
const migrations: readonly string[] = [
  `create table SCHEMA.head (
     project text not null,
     environment text not null,
     epoch bigint not null,
     version uuid not null,
     connection text,
     written_at timestamptz not null default now(),
     primary key (project, environment)
   );
   comment on column SCHEMA.head.epoch is 'how often it was written';
   comment on column SCHEMA.head.version is 'the last write: whoever writes next has to have seen it';
   comment on column SCHEMA.head.connection is 'application_name of the connection whose advisory lock proves that the holder is alive';
   create table SCHEMA.part (
     project text not null,
     environment text not null,
     name text not null,
     epoch bigint not null,
     content text not null,
     primary key (project, environment, name, epoch),
     foreign key (project, environment) references SCHEMA.head on delete cascade
   );`,
];

export const schemaVersion = migrations.length;

export function versionQuery(schema: string): string {
  return `select version from ${sqlName(schema)}.schema_version`;
}

/** One statement, and so one transaction, even if a pooler uses another connection for every statement. */
export function migrationOf(schema: string): string {
  const name = sqlName(schema);
  const steps = migrations.map(
    (sql, index) => `if present < ${index + 1} then ${sql.replaceAll("SCHEMA", name)} end if;`,
  );
  return `do $migration$
    declare present integer;
    begin
      perform pg_advisory_xact_lock(hashtextextended('ticketing schema ' || ${sqlText(schema)}, 0));
      if not exists (select from pg_namespace where nspname = ${sqlText(schema)}) then
        create schema ${name};
      end if;
      create table if not exists ${name}.schema_version (version integer not null);
      select coalesce(max(version), 0) into present from ${name}.schema_version;
      if present >= ${schemaVersion} then return; end if;
      ${steps.join("\n")}
      delete from ${name}.schema_version;
      insert into ${name}.schema_version values (${schemaVersion});
    end $migration$`;
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Everything in an environment, as of one moment: a row for each file, and one for a head without files. */
export function readQuery(schema: string): string {
  const name = sqlName(schema);
  return `select head.epoch, head.version, head.connection, file.name, file.content
    from ${name}.head left join (
      select name, string_agg(content, '' order by epoch) as content from ${name}.part
      where project = $1 and environment = $2 group by name
    ) file on true
    where head.project = $1 and head.environment = $2`;
}

export function tipQuery(schema: string): string {
  return `select epoch, version, connection from ${sqlName(schema)}.head where project = $1 and environment = $2`;
}

/**
 * Compare and swap in one statement. $3 and $4: epoch and version as they were read, null if there was nothing; $5, $6: the next
 * version and connection; $7: files whose parts are deleted; $8, $9: parts to add. Returns a row if it was written.
 */
export function writeQuery(schema: string): string {
  const name = sqlName(schema);
  return `with begun as (
      insert into ${name}.head (project, environment, epoch, version, connection)
      select $1::text, $2::text, 1, $5::uuid, $6::text where $3::bigint is null
      on conflict do nothing returning epoch
    ), changed as (
      update ${name}.head set epoch = epoch + 1, version = $5, connection = $6, written_at = now()
      where project = $1 and environment = $2 and epoch = $3::bigint and version = $4::uuid
      returning epoch
    ), written as (
      select epoch from begun union all select epoch from changed
    ), gone as (
      delete from ${name}.part using written where project = $1 and environment = $2 and name = any ($7::text[])
    ), added as (
      insert into ${name}.part (project, environment, name, epoch, content)
      select $1::text, $2::text, put.name, written.epoch, put.content
      from written, unnest($8::text[], $9::text[]) as put (name, content)
    )
    select epoch from written`;
}
