ALTER TABLE `users` ADD `last_seen` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `users` SET `last_seen` = max(
	coalesce((SELECT max(`sessions`.`last_seen`) FROM `sessions` WHERE `sessions`.`user_id` = `users`.`id`), 0),
	coalesce((SELECT max(`tokens`.`accessed_time`) FROM `tokens` WHERE `tokens`.`user_id` = `users`.`id`), 0)
);