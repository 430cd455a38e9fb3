CREATE TABLE "channel_event_hourly" (
	"channel_id" bigint NOT NULL,
	"hour" bigint NOT NULL,
	"event" text NOT NULL,
	"model" text NOT NULL,
	"cause" text NOT NULL,
	"times" bigint DEFAULT 0 NOT NULL,
	"ms" bigint DEFAULT 0 NOT NULL,
	"last_at" bigint NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "channel_event_hourly_channel_id_hour_event_model_cause_pk" PRIMARY KEY("channel_id","hour","event","model","cause")
);
--> statement-breakpoint
CREATE TABLE "channel_history" (
	"channel_id" bigint NOT NULL,
	"part" text NOT NULL,
	"start" bigint NOT NULL,
	"model" text NOT NULL,
	"succeeded" bigint DEFAULT 0 NOT NULL,
	"refused" bigint DEFAULT 0 NOT NULL,
	"rate_limited" bigint DEFAULT 0 NOT NULL,
	"rejected" bigint DEFAULT 0 NOT NULL,
	"server_error" bigint DEFAULT 0 NOT NULL,
	"timeout" bigint DEFAULT 0 NOT NULL,
	"unreachable" bigint DEFAULT 0 NOT NULL,
	"broken" bigint DEFAULT 0 NOT NULL,
	"unusable" bigint DEFAULT 0 NOT NULL,
	"bad_request" bigint DEFAULT 0 NOT NULL,
	"below_100" bigint DEFAULT 0 NOT NULL,
	"below_150" bigint DEFAULT 0 NOT NULL,
	"below_200" bigint DEFAULT 0 NOT NULL,
	"below_300" bigint DEFAULT 0 NOT NULL,
	"below_400" bigint DEFAULT 0 NOT NULL,
	"below_500" bigint DEFAULT 0 NOT NULL,
	"below_700" bigint DEFAULT 0 NOT NULL,
	"below_1000" bigint DEFAULT 0 NOT NULL,
	"below_1400" bigint DEFAULT 0 NOT NULL,
	"below_2000" bigint DEFAULT 0 NOT NULL,
	"below_3000" bigint DEFAULT 0 NOT NULL,
	"below_4000" bigint DEFAULT 0 NOT NULL,
	"below_6000" bigint DEFAULT 0 NOT NULL,
	"below_8000" bigint DEFAULT 0 NOT NULL,
	"below_12000" bigint DEFAULT 0 NOT NULL,
	"below_20000" bigint DEFAULT 0 NOT NULL,
	"below_40000" bigint DEFAULT 0 NOT NULL,
	"above" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "channel_history_channel_id_part_start_model_pk" PRIMARY KEY("channel_id","part","start","model")
);
--> statement-breakpoint
ALTER TABLE "channel_event_hourly" ADD CONSTRAINT "channel_event_hourly_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_history" ADD CONSTRAINT "channel_history_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;