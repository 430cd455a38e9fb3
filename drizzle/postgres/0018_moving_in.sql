CREATE TABLE "moved_rows" (
	"source" text NOT NULL,
	"noun" text NOT NULL,
	"source_id" bigint NOT NULL,
	"target_id" bigint NOT NULL,
	"mark" text DEFAULT '' NOT NULL,
	CONSTRAINT "moved_rows_source_noun_source_id_pk" PRIMARY KEY("source","noun","source_id")
);
--> statement-breakpoint
CREATE TABLE "moves" (
	"source" text PRIMARY KEY NOT NULL,
	"product" text NOT NULL,
	"keeps_ids" boolean NOT NULL,
	"logs_up_to" bigint DEFAULT 0 NOT NULL,
	"created_time" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "openings" (
	"owner" text NOT NULL,
	"owner_id" bigint NOT NULL,
	"used_quota" bigint NOT NULL,
	"request_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "openings_owner_owner_id_pk" PRIMARY KEY("owner","owner_id")
);
