CREATE TABLE "stored_objects" (
	"kind" text NOT NULL,
	"id_hash" text NOT NULL,
	"user_id" bigint NOT NULL,
	"channel_id" bigint NOT NULL,
	"key_hash" text NOT NULL,
	"upstream_id" text DEFAULT '' NOT NULL,
	"tokens" bigint NOT NULL,
	"created_time" bigint NOT NULL,
	"expires_time" bigint NOT NULL,
	CONSTRAINT "stored_objects_kind_id_hash_pk" PRIMARY KEY("kind","id_hash")
);
--> statement-breakpoint
CREATE INDEX "stored_objects_expiry" ON "stored_objects" USING btree ("expires_time");